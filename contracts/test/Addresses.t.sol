// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Forwarder} from "../src/Forwarder.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {Hub} from "./support/Hub.sol";
import {HubTest} from "./support/HubTest.sol";

contract AddressesTest is HubTest {
    /// @dev The deterministic deployment proxy's code: 32 bytes of salt, then the init code.
    bytes private constant PROXY_CODE =
        hex"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";
    address private constant PROXY = 0x4e59b44847b379578588920cA78FbF26c0B4956C;

    function create2(address deployer, bytes32 salt, bytes32 codeHash)
        private
        pure
        returns (address)
    {
        bytes memory preimage = abi.encodePacked(hex"ff", deployer, salt, codeHash);
        return address(uint160(uint256(keccak256(preimage))));
    }

    /// @dev EIP-1167, written out: this is what other programs predict with.
    function cloneCodeHash(Hub of_) private view returns (bytes32) {
        return keccak256(
            abi.encodePacked(
                hex"602c3d8160093d39f33d3d3d3d363d3d37363d73",
                of_.forwarderImplementation(),
                hex"5af43d3d93803e602a57fd5bf3"
            )
        );
    }

    function test_the_forwarders_code_is_the_hubs_first_contract() public view {
        bytes memory rlp = abi.encodePacked(hex"d694", address(hub), hex"01");
        address expected = address(uint160(uint256(keccak256(rlp))));
        vm.assertEq(hub.forwarderImplementation(), expected, "CREATE with nonce 1");
        vm.assertEq(Forwarder(expected).hub(), address(hub), "and it knows its hub");
    }

    function testFuzz_a_deposit_is_where_its_terms_say(
        bytes16 merchantId,
        bytes16 invoiceId,
        address recipient,
        uint256 maxFee
    ) public view {
        bytes32 salt = keccak256(abi.encode(merchantId, invoiceId, recipient, maxFee));
        vm.assertEq(
            hub.depositAddress(merchantId, invoiceId, recipient, maxFee),
            create2(address(hub), salt, cloneCodeHash(hub)),
            "deposit"
        );
    }

    function testFuzz_a_forwarder_is_where_its_merchant_says(bytes16 merchantId) public {
        bytes32 salt = keccak256(abi.encode(keccak256("remit.forwarder.v1"), merchantId));
        address expected = create2(address(hub), salt, cloneCodeHash(hub));
        vm.assertEq(hub.forwarderAddress(merchantId), expected, "predicted");
        vm.assertEq(hub.deployForwarder(merchantId), expected, "deployed");
        vm.assertTrue(expected.code.length != 0, "has code");
    }

    function testFuzz_a_sweep_deploys_where_predicted(bytes16 invoiceId, uint256 maxFee) public {
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 1, 0);
        (item.invoiceId, item.maxFee) = (invoiceId, maxFee);
        address deposit = depositOf(item);
        usdc.mint(deposit, 1);
        sweep(item);
        vm.assertTrue(deposit.code.length != 0, "has code");
    }

    function test_one_address_on_every_chain_and_another_in_every_world() public {
        address sandbox = deploy("sandbox", 1);
        address live = deploy("live", 1);
        vm.assertTrue(sandbox != live, "the environment separates");
        vm.assertEq(deploymentAddress("sandbox"), sandbox, "predicted");
        vm.chainId(8453);
        vm.assertEq(deploymentAddress("sandbox"), sandbox, "the chain does not matter");
        vm.assertTrue(
            Hub(sandbox).depositAddress(MERCHANT, INVOICE, address(0), 0)
                != Hub(live).depositAddress(MERCHANT, INVOICE, address(0), 0),
            "nor do they share a deposit"
        );
        vm.assertEq(Hub(live).environment(), bytes32("live"), "environment");
    }

    function test_the_committed_init_code_is_the_compiled_one() public view {
        committed("RemitHub", vm.getCode("RemitHub.sol:RemitHub"));
    }

    function test_a_clone_obeys_only_the_hub() public {
        Forwarder clone = Forwarder(hub.deployForwarder(MERCHANT));
        usdc.mint(address(clone), 1e6);
        bytes memory refusal =
            abi.encodeWithSelector(Forwarder.OnlyHub.selector, OWNER, address(hub));
        vm.startPrank(OWNER);
        vm.expectRevert(refusal);
        clone.pay(address(usdc), OWNER, 1e6, address(0), 0, 0, 0);
        vm.expectRevert(refusal);
        clone.payNative(OWNER, 0);
        vm.expectRevert(refusal);
        clone.call(address(usdc), "");
        vm.stopPrank();
    }

    function test_hub_and_clones_refuse_native_coin() public {
        vm.deal(address(this), 2 ether);
        (bool hubTook,) = address(hub).call{value: 1 ether}("");
        (bool cloneTook,) = hub.deployForwarder(MERCHANT).call{value: 1 ether}("");
        vm.assertFalse(hubTook, "hub");
        vm.assertFalse(cloneTook, "clone");
    }

    function committed(string memory name, bytes memory compiled) private view {
        string memory json = vm.readFile(string.concat("artifacts/", name, ".json"));
        vm.assertEq(
            keccak256(vm.parseJsonBytes(json, ".bytecode")), keccak256(compiled), name
        );
    }

    function initCode(bytes32 environment) private view returns (bytes memory) {
        return abi.encodePacked(
            vm.getCode("RemitHub.sol:RemitHub"),
            abi.encode(OWNER, environment)
        );
    }

    function deploymentAddress(bytes32 environment) private view returns (address) {
        return create2(PROXY, 0, keccak256(initCode(environment)));
    }

    function deploy(bytes32 environment, uint256 chain) private returns (address deployed) {
        vm.chainId(chain);
        vm.etch(PROXY, PROXY_CODE);
        (bool ok, bytes memory answer) = PROXY.call(bytes.concat(bytes32(0), initCode(environment)));
        vm.assertTrue(ok, "deployed");
        deployed = address(bytes20(answer));
    }
}
