// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {BurningWallet} from "../doubles/Wallets.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice Payers whose accounts have code: they pass a trial and burn the batch's gas afterwards.
contract PayersAttack is LiveHub {
    uint256 private constant COUNT = 20;

    address private forwarder;

    function setUp() public override {
        super.setUp();
        forwarder = hub.forwarderAddress(MERCHANT);
        for (uint256 i; i < COUNT; ++i) usdc.mint(vm.addr(keyOf(i)), 1e6);
    }

    /// @dev EIP-7702: each signs as an account without code, and delegates before the batch is mined.
    function test_a_payer_who_delegates_after_the_trial_burns_nothing() public {
        IRemitHub.Authorization[] memory items = authorizations();
        for (uint256 i; i < COUNT; ++i) {
            if (i % 2 == 1) vm.etch(items[i].from, type(BurningWallet).runtimeCode);
        }
        vm.expectEmit(address(hub));
        emit IRemitHub.AuthorizationFailed(
            address(usdc),
            items[1].from,
            items[1].nonce,
            abi.encodeWithSelector(IHubErrors.PayerHasCode.selector, items[1].from)
        );
        uint256 before = gasleft();
        settleAll(items);
        uint256 used = before - gasleft();
        vm.assertEq(usdc.balanceOf(forwarder), COUNT / 2 * 1e6, "the honest half is paid");
        vm.assertLe(used, COUNT / 2 * 90_000, "the others cost next to nothing");
    }

    function test_a_delegation_to_nothing_is_code_as_well() public {
        IRemitHub.Authorization[] memory items = authorizations();
        vm.etch(items[0].from, abi.encodePacked(hex"ef0100", address(0xDEAD)));
        settleAll(items);
        vm.assertEq(usdc.balanceOf(items[0].from), 1e6, "he takes the wallets' way");
        vm.assertEq(usdc.balanceOf(forwarder), (COUNT - 1) * 1e6, "the others are paid");
    }

    function test_a_wallet_burns_its_own_gas_only() public {
        IRemitHub.Authorization[] memory signed = authorizations();
        IRemitHub.WalletAuthorization[] memory items =
            new IRemitHub.WalletAuthorization[](COUNT);
        for (uint256 i; i < COUNT; ++i) {
            IRemitHub.Authorization memory one = signed[i];
            items[i] = IRemitHub.WalletAuthorization(
                one.from,
                one.to,
                one.value,
                0,
                one.validBefore,
                one.nonce,
                abi.encodePacked(one.r, one.s, one.v)
            );
            if (i % 2 == 1) vm.etch(one.from, type(BurningWallet).runtimeCode);
        }
        uint256 before = gasleft();
        hub.settleWallets(
            address(usdc), items, 200_000, new IRemitHub.Distribution[](0), plenty()
        );
        uint256 used = before - gasleft();
        vm.assertEq(usdc.balanceOf(forwarder), COUNT / 2 * 1e6, "the honest half is paid");
        vm.assertLe(used, COUNT / 2 * (90_000 + 220_000), "each burns what it was given");
    }

    /// @dev The submitter of an authorization decides neither receiver nor amount.
    function testFuzz_the_submitter_changes_nothing(uint256 pick, uint256 spoil) public {
        IRemitHub.Authorization memory item =
            authorization(keyOf(0), forwarder, 1e6, bytes32("n"));
        spoil = within(spoil, 1, type(uint64).max);
        if (pick % 5 == 0) item.to = THIEF;
        if (pick % 5 == 1) item.value -= within(spoil, 1, 1e6);
        if (pick % 5 == 2) item.from = vm.addr(keyOf(1));
        if (pick % 5 == 3) item.nonce = bytes32(uint256(item.nonce) ^ spoil);
        if (pick % 5 == 4) item.validBefore += spoil;
        settle(item);
        vm.assertEq(usdc.balanceOf(forwarder) + usdc.balanceOf(THIEF), 0, "nothing moved");
    }

    /// @dev The gas of an item is the submitter's choice; with too little behind it nothing counts.
    function test_starving_an_item_reverts_the_batch() public {
        IRemitHub.Authorization[] memory items = authorizations();
        bytes memory call = abi.encodeCall(
            hub.settle,
            (address(usdc), items, 150_000, new IRemitHub.Distribution[](0), plenty())
        );
        (bool ok, bytes memory answer) = address(hub).call{gas: 400_000}(call);
        vm.assertFalse(ok, "reverted");
        vm.assertEq(
            bytes32(bytes4(answer)), bytes32(IHubErrors.ItemGasTooLow.selector), "the reason"
        );
        vm.assertEq(usdc.balanceOf(forwarder), 0, "as a whole");
    }

    /// @dev The hub as a token would be called by the hub, with all its rights.
    function test_the_hub_is_no_token() public {
        IRemitHub.Authorization[] memory items = authorizations();
        IRemitHub.Distribution[] memory none = new IRemitHub.Distribution[](0);
        hub.settle(address(hub), items, 150_000, none, plenty());
        hub.settle(hub.forwarderImplementation(), items, 150_000, none, plenty());
        hub.settle(hub.deployForwarder(MERCHANT), items, 150_000, none, plenty());
        vm.assertEq(usdc.balanceOf(forwarder), 0, "nothing moved");
        vm.assertEq(hub.owner(), OWNER, "nothing changed");
    }

    function authorizations() private view returns (IRemitHub.Authorization[] memory items) {
        items = new IRemitHub.Authorization[](COUNT);
        for (uint256 i; i < COUNT; ++i) {
            items[i] = authorization(keyOf(i), forwarder, 1e6, bytes32(i));
        }
    }

    function keyOf(uint256 index) private pure returns (uint256) {
        return PAYER_KEY + index;
    }
}
