// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SpoiledToken} from "../../doubles/Tokens.sol";

/// @notice Uses 350,000 gas for every transfer, beside what the network charges.
contract CostlyToken is SpoiledToken {
    uint256 private constant WORK = 350_000;

    function transfer(address to, uint256 amount) external override returns (bool) {
        uint256 before = gasleft();
        _move(to, amount);
        while (before - gasleft() < WORK) {}
        return true;
    }
}

/// @notice Answers every transfer, done or refused, with as many bytes as the gas allows.
contract BombToken is SpoiledToken {
    bool public refuses;

    function set(bool refuses_) external {
        refuses = refuses_;
    }

    function transfer(address to, uint256 amount) external override returns (bool) {
        if (!refuses) _move(to, amount);
        bool fails = refuses;
        assembly {
            mstore(0x00, 1)
            if fails { revert(0x00, 500000) }
            return(0x00, 500000)
        }
    }
}

/// @notice Balances that the token changes, as rebasing ones do.
contract RebasingToken is SpoiledToken {
    function transfer(address to, uint256 amount) external override returns (bool) {
        _move(to, amount);
        return true;
    }

    function rebase(address account, uint256 percent) external {
        balanceOf[account] = balanceOf[account] * percent / 100;
    }
}

/// @notice An NFT, as little of it as there can be.
contract Collectible {
    mapping(uint256 id => address) public ownerOf;

    function mint(address to, uint256 id) external {
        ownerOf[id] = to;
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(msg.sender == from && ownerOf[id] == from, "not the owner");
        ownerOf[id] = to;
    }

    /// @dev The calldata of a transfer.
    function move(address from, address to, uint256 id) external view returns (bytes memory) {
        return abi.encodeCall(this.transferFrom, (from, to, id));
    }
}
